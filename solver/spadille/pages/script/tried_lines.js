// The lines tried for a hand: each is a list of moves, and none is a prefix of another.

const shared = (line, other) => {
  const end = line.findIndex((move, i) => move !== other[i]);
  return end < 0 ? line.length : end;
};

// Adds a line, unless another line already contains it.
export function kept(lines, moves) {
  if (lines.some((line) => shared(moves, line) === moves.length)) return lines;
  return [...lines.filter((line) => shared(line, moves) < line.length), moves];
}

// All lines except the current one, each with the point where it leaves the current line.
export const branches = (lines, moves) => lines.filter((line) => shared(moves, line) < moves.length)
  .map((line) => ({ moves: line, from: shared(line, moves) }));

// The same lines as a tree: each branches off the line with which it shares the most moves.
export function tree(lines, moves) {
  const nodes = [{ moves, from: 0, branches: [] }];
  for (const { moves: line } of branches(lines, moves)) {
    let parent = nodes[0], from = -1;
    for (const node of nodes) {
      const common = shared(node.moves, line);
      if (common > from) [parent, from] = [node, common];
    }
    const node = { moves: line, from, branches: [] };
    parent.branches.push(node);
    nodes.push(node);
  }
  return nodes[0].branches;
}

// The lines tried for a hand: each is a list of moves, and none is the beginning of another.

const shared = (one, other) => {
  const end = one.findIndex((move, i) => move !== other[i]);
  return end < 0 ? one.length : end;
};

// Adds a line, unless another line already contains it.
export function kept(lines, moves) {
  if (lines.some((line) => shared(moves, line) === moves.length)) return lines;
  return [...lines.filter((line) => shared(line, moves) < line.length), moves];
}

// All lines except the current one, each with the point where it leaves the current line.
export const branches = (lines, moves) => lines.filter((line) => shared(moves, line) < moves.length)
  .map((line) => ({ moves: line, from: shared(line, moves) }));

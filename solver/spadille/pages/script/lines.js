// The lines that were tried of a hand: each is a list of moves, and none is the beginning of another.

const shared = (one, other) => {
  const end = one.findIndex((move, i) => move !== other[i]);
  return end < 0 ? one.length : end;
};

// The lines with one more; what another contains already adds nothing.
export function kept(lines, moves) {
  if (lines.some((line) => shared(moves, line) === moves.length)) return lines;
  return [...lines.filter((line) => shared(line, moves) < line.length), moves];
}

// The other lines beside the one that is followed, each with where it leaves that one.
export const branches = (lines, moves) => lines.filter((line) => shared(moves, line) < moves.length)
  .map((line) => ({ moves: line, from: shared(line, moves) }));

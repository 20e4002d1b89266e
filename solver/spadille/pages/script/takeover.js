// After an opponent of the declarer takes over, another contract is played.

// Whether the line follows the recorded play up to the take-over.
const followed = ({ takenOver, play, moves }) =>
  Boolean(takenOver) && play.slice(0, takenOver.after).every((move, i) => move === moves[i]);

// The contract in force at the current place; the record may end with the take-over.
export function playedAt(board) {
  const { takenOver, contract, at, play } = board;
  if (!followed(board)) return contract;
  const { after } = takenOver;
  return at > after || (at === after && after === play.length) ? takenOver.contract : contract;
}

// The requests to look for errors, starting at a given card; one for each contract.
export function judgedFrom(board, from) {
  const { takenOver, contract, moves } = board;
  if (!followed(board)) return [{ contract, moves, from }];
  const { after } = takenOver;
  return [
    { contract, moves: moves.slice(0, after), from },
    { contract: takenOver.contract, moves, from: Math.max(from, after) },
  ];
}

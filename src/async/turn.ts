let turn: Promise<void> | undefined;

/** Over when the event loop has handled what had arrived by now. All who ask in one turn wait together. */
export function nextTurn(): Promise<void> {
  turn ??= new Promise((resolve) => {
    setImmediate(() => {
      turn = undefined;
      resolve();
    });
  });
  return turn;
}

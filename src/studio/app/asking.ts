import { type Inputs, useEffect, useRef, useState } from "preact/hooks";
import { Refusal } from "./calls.ts";

/** What became of a question to the server. */
export interface Asked<Answer> {
  /** The last answer. It stays while the question is asked again. */
  readonly answer: Answer | undefined;
  readonly refusal: string | undefined;
  readonly again: () => void;
}

/** Asks when a component is shown, and again when what the question depends on changes. */
export function useAnswer<Answer>(ask: () => Promise<Answer>, dependencies: Inputs): Asked<Answer> {
  const [state, setState] = useState<{ answer?: Answer; refusal?: string }>({});
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    let isOver = false;
    ask().then(
      (answer) => isOver || setState({ answer }),
      (error) => isOver || setState({ refusal: messageOf(error) }),
    );
    return () => {
      isOver = true;
    };
  }, [...dependencies, turn]);
  return { answer: state.answer, refusal: state.refusal, again: () => setTurn((count) => count + 1) };
}

export interface Doing {
  readonly isBusy: boolean;
  readonly refusal: string | undefined;
  /** Does something once, and says whether it was done. */
  readonly run: (action: () => Promise<unknown>) => Promise<boolean>;
}

/** For a button that does something at the server: not twice at once, and with what went wrong. */
export function useDoing(): Doing {
  const [isBusy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<string>();
  const isRunning = useRef(false);
  const run = async (action: () => Promise<unknown>) => {
    if (isRunning.current) return false;
    isRunning.current = true;
    setBusy(true);
    setRefusal(undefined);
    try {
      await action();
      return true;
    } catch (error) {
      setRefusal(messageOf(error));
      return false;
    } finally {
      isRunning.current = false;
      setBusy(false);
    }
  };
  return { isBusy, refusal, run };
}

function messageOf(error: unknown): string {
  if (error instanceof Refusal) return error.message;
  throw error;
}

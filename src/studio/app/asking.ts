import { type Inputs, useEffect, useRef, useState } from "preact/hooks";
import { Refusal } from "./calls.ts";
import { sentence } from "./words.ts";

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
      (error) => isOver || setState({ refusal: refusalOf(error).message }),
    );
    return () => {
      isOver = true;
    };
  }, [...dependencies, turn]);
  return { answer: state.answer, refusal: state.refusal, again: () => setTurn((count) => count + 1) };
}

interface Doing {
  readonly isBusy: boolean;
  readonly refusal: string | undefined;
  /** What is wrong with one of the values that were sent. */
  readonly problemAt: (field: string) => string | undefined;
  /** Does something once, and says whether it was done. */
  readonly run: (action: () => Promise<unknown>) => Promise<boolean>;
}

/** For a button that does something at the server: not twice at once, and with what went wrong. */
export function useDoing(): Doing {
  const [isBusy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<Refusal>();
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
      setRefusal(refusalOf(error));
      return false;
    } finally {
      isRunning.current = false;
      setBusy(false);
    }
  };
  const problemAt = (field: string) => {
    const problem = refusal?.problems.find(({ path }) => path[0] === field);
    return problem && sentence(problem.message);
  };
  return { isBusy, refusal: refusal?.message, problemAt, run };
}

function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  throw error;
}

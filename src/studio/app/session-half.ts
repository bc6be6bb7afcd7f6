const PLACE = "vitrine-session";
const TRIAL = "vitrine-trial";
/** More than a half has. */
const TRIAL_LENGTH = 100;

/** The half of a session that the page keeps: in a place that belongs to this origin alone, port included. */
export const sessionHalf = {
  /** Not where the browser blocks what sites keep, or has no room for it: asking for the place throws then. */
  canBeKept: (): boolean => {
    try {
      // One that is there leaves room for another.
      if (localStorage.getItem(PLACE) !== null) return true;
      localStorage.setItem(TRIAL, "x".repeat(TRIAL_LENGTH));
      localStorage.removeItem(TRIAL);
      return true;
    } catch {
      return false;
    }
  },
  read: (): string | null => localStorage.getItem(PLACE),
  keep: (half: string): void => localStorage.setItem(PLACE, half),
  forget: (): void => localStorage.removeItem(PLACE),
  /** Tells of another half, or none, as soon as another tab has put it there. */
  follow: (changed: () => void): void => {
    const hear = ({ key }: StorageEvent) => {
      if (key === PLACE) changed();
    };
    addEventListener("storage", hear);
  },
};

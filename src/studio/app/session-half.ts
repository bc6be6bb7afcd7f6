const PLACE = "vitrine-session";

/** The half of a session that the page keeps: in a place that belongs to this origin alone, port included. */
export const sessionHalf = {
  /** Not where the browser blocks what sites keep: asking for the place throws then. */
  canBeKept: (): boolean => {
    try {
      return localStorage !== null;
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

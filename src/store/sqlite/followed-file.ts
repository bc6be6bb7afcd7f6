import { StoreUnavailable } from "../unavailable.ts";
import { type FileIdentity, identityOf, isSameFile } from "./file-identity.ts";

/** How often a file is looked at: another one in its place is noticed within that time. */
export const LOOK_MS = 500;

/** A connection to a file, with all that is prepared on it. */
export interface FileConnection {
  /** Runs before another file, which is at the path now, is opened. False where that must wait. */
  leave(): boolean;
  close(): void;
}

/** What has become of the file at a path. */
type FileChange = "gone" | "back" | "replaced" | "unusable";

type Tell = (change: FileChange, reason?: string) => void;

/**
 * The connection to the file at a path. SQLite goes on with the file that it opened, though that was deleted or
 * replaced; this notices, and opens the one that is there instead. While there is none, it waits: it makes none.
 */
export class FollowedFile<Connection extends FileConnection> {
  readonly #path: string;
  readonly #open: () => Connection;
  readonly #tell: Tell;
  /** Of the file that the connection is to. Unknown once that file was left for another one. */
  #identity: FileIdentity | undefined;
  #connection: Connection | undefined;
  #failure: StoreUnavailable | undefined;
  #isDoubted = false;
  #isStale = false;
  #isClosed = false;

  /** Throws `StoreUnavailable` where the file cannot be opened. */
  constructor(path: string, open: () => Connection, tell: Tell = () => {}) {
    this.#path = path;
    this.#open = open;
    this.#tell = tell;
    // Asked before the file is opened: if it is replaced in between, the next look notices.
    this.#identity = identityOf(path);
    this.#connection = open();
  }

  /** The connection to the file that was there when it was last looked at. Throws where there was none. */
  get connection(): Connection {
    if (this.#failure || !this.#connection) throw this.#failure ?? new StoreUnavailable("nothing is open");
    return this.#connection;
  }

  /** For a caller that could not read or write: the file is opened anew when it is next looked at. */
  doubt(): void {
    this.#isDoubted = true;
  }

  /** Looks which file is there, and opens it where it is another one. */
  look(): void {
    if (this.#isClosed) return;
    const found = identityOf(this.#path);
    if (!found) this.#fail("gone", new StoreUnavailable("there is no such file", { file: this.#path }));
    else if (!isSameFile(found, this.#identity)) this.#replace(found);
    else {
      // A file that has become shorter was cut off, or written anew in its place: what is kept of it is wrong.
      if (found.bytes < (this.#identity?.bytes ?? 0n)) this.#isStale = true;
      this.#identity = found;
      if ((this.#isDoubted || this.#isStale) && !this.#renew()) return;
      if (this.#failure) this.#tell("back");
      this.#failure = undefined;
    }
  }

  #fail(change: FileChange, failure: StoreUnavailable): void {
    if (failure.message !== this.#failure?.message) this.#tell(change, failure.message);
    this.#failure = failure;
  }

  #replace(found: FileIdentity): void {
    try {
      if (this.#connection?.leave() === false) {
        this.#failure = new StoreUnavailable("the log of the file that was there before is still beside it");
        return;
      }
      // A connection whose log was put away is used no more, not even if its file comes back.
      this.#connection?.close();
      this.#connection = undefined;
      this.#identity = undefined;
      this.#connection = this.#open();
      this.#identity = found;
      this.#failure = undefined;
      this.#isDoubted = false;
      this.#tell("replaced");
    } catch (error) {
      this.#fail("unusable", error as StoreUnavailable);
    }
  }

  /**
   * Whether there is a connection that can be used. Where there is no new one, the old one stays, and fails or does not
   * by itself. One to a file that was cut off could go on with what it has in memory, and its lock would keep all from
   * opening what was written in its place: it is closed first.
   */
  #renew(): boolean {
    try {
      const last = this.#connection;
      if (this.#isStale) {
        last?.close();
        this.#connection = undefined;
      }
      this.#connection = this.#open();
      this.#isDoubted = false;
      if (!this.#isStale) last?.close();
      this.#isStale = false;
      return true;
    } catch (error) {
      this.#isDoubted = true;
      if (this.#isStale) this.#fail("unusable", error as StoreUnavailable);
      return !this.#isStale;
    }
  }

  close(): void {
    this.#isClosed = true;
    try {
      if (!isSameFile(identityOf(this.#path), this.#identity)) this.#connection?.leave();
    } catch {
      // The process is about to end, and nothing more can be done for the file.
    }
    this.#connection?.close();
  }
}

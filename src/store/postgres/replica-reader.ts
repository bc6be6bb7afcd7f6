import { withDeadline } from "../../async/maybe-promise.ts";
import type { View } from "../../contract/access.ts";
import type { PageKind } from "../../contract/routes.ts";
import type { Log } from "../../logging/log.ts";
import type { PostgresLocation } from "../location.ts";
import type { ProfileRendition, StoredKind, StoredReader } from "../stored-reader.ts";
import { StoreUnavailable } from "../unavailable.ts";
import { followingFault } from "./following.ts";
import { MAX_WAIT_MS } from "./read-pool.ts";
import { PostgresReader } from "./reader.ts";

/** How often a replica that is away is asked whether it is back, and the primary is tried where it failed. */
const RETRY_MS = 1000;

/** How often a replica that is read is asked whether it still follows the primary. */
const LOOK_MS = 5000;

interface Places {
  readonly primary: PostgresLocation;
  readonly replica: PostgresLocation;
  /** To each of the two. */
  readonly connections: number;
}

/**
 * Reads from a replica or, while that is away or does not follow, from the primary. The connections to the primary are
 * made when they are first needed, because sparing it is what a replica is for: all but one, which asks how far it is.
 */
export class ReplicaReader implements StoredReader {
  readonly isRemote = true;
  readonly #places: Places;
  readonly #log: Log | undefined;
  #replica: PostgresReader | undefined;
  #primary: Promise<PostgresReader> | undefined;
  #lookout: PostgresReader | undefined;
  #isReplicaUp = true;
  #checking = false;
  #looking = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isClosed = false;

  private constructor(places: Places, log: Log | undefined) {
    this.#places = places;
    this.#log = log;
  }

  static async open(places: Places, log?: Log): Promise<ReplicaReader> {
    const reader = new ReplicaReader(places, log);
    try {
      // A replica is mostly behind by milliseconds, so it gets as long as a read.
      await reader.#expectToFollow(await reader.#openReplica(), MAX_WAIT_MS);
    } catch (error) {
      reader.#turnAway(error as Error);
    }
    reader.#lookLater();
    return reader;
  }

  /** Else a key that was revoked would go on working. Where the primary is away, nobody can tell. */
  async #expectToFollow(replica: PostgresReader, maxLagMs?: number): Promise<void> {
    const lookout = await this.#openLookout().catch(() => undefined);
    const fault = lookout && (await followingFault(lookout, replica, maxLagMs));
    if (fault) throw new Error(`it ${fault}`);
  }

  get isReplicaUp(): boolean {
    return this.#isReplicaUp;
  }

  readDocument(keyHash: Uint8Array, kind: StoredKind, view: View) {
    return this.#read((reader) => reader.readDocument(keyHash, kind, view));
  }

  readResume(keyHash: Uint8Array, view: View) {
    return this.#read((reader) => reader.readResume(keyHash, view));
  }

  readLinkTree(keyHash: Uint8Array, slug: string, view: View) {
    return this.#read((reader) => reader.readLinkTree(keyHash, slug, view));
  }

  readPage(slug: string) {
    return this.#read((reader) => reader.readPage(slug));
  }

  readPageTag(slug: string) {
    return this.#read((reader) => reader.readPageTag(slug));
  }

  readTargets(slug: string, linkId: string) {
    return this.#read((reader) => reader.readTargets(slug, linkId));
  }

  readProfile(slug: string, kind: ProfileRendition) {
    return this.#read((reader) => reader.readProfile(slug, kind));
  }

  readProfileTag(slug: string) {
    return this.#read((reader) => reader.readProfileTag(slug));
  }

  readMovedPage(kind: PageKind, slug: string) {
    return this.#read((reader) => reader.readMovedPage(kind, slug));
  }

  readOnlyProfile() {
    return this.#read((reader) => reader.readOnlyProfile());
  }

  readPreview(kind: PageKind, slug: string) {
    return this.#read((reader) => reader.readPreview(kind, slug));
  }

  readPicture(hash: string) {
    return this.#read((reader) => reader.readPicture(hash));
  }

  readRecord(userNumber: number) {
    return this.#read((reader) => reader.readRecord(userNumber));
  }

  ping() {
    return this.#read((reader) => reader.ping());
  }

  async #read<Found>(ask: (reader: PostgresReader) => Promise<Found>): Promise<Found> {
    if (this.#isReplicaUp && this.#replica) {
      try {
        return await ask(this.#replica);
      } catch {
        void this.#checkReplica(this.#replica);
      }
    }
    return ask(await this.#reachPrimary());
  }

  /** A single read may fail on a replica that is well; one that does not answer at all is away. */
  async #checkReplica(replica: PostgresReader): Promise<void> {
    if (this.#checking || !this.#isReplicaUp) return;
    this.#checking = true;
    try {
      await replica.ping();
    } catch (error) {
      this.#turnAway(error as Error);
      this.#lookLater();
    } finally {
      this.#checking = false;
    }
  }

  #turnAway({ message, cause }: Error): void {
    if (this.#isClosed || !this.#isReplicaUp) return;
    this.#isReplicaUp = false;
    this.#log?.warn("the replica is away; reads go to the primary", {
      reason: cause instanceof Error ? cause.message : message,
    });
  }

  /** Whoever is looking will say when the next look is. */
  #lookLater(): void {
    if (this.#isClosed || this.#looking) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#look(), this.#isReplicaUp ? LOOK_MS : RETRY_MS);
    this.#timer.unref();
  }

  async #look(): Promise<void> {
    const wasUp = this.#isReplicaUp;
    this.#looking = true;
    try {
      const replica = await this.#openReplica();
      await replica.ping();
      await this.#expectToFollow(replica);
      if (!wasUp) this.#turnBack();
    } catch (error) {
      this.#turnAway(error as Error);
    }
    this.#looking = false;
    this.#lookLater();
  }

  #turnBack(): void {
    this.#isReplicaUp = true;
    this.#log?.info("the replica answers again; reads go to it");
  }

  async #openReplica(): Promise<PostgresReader> {
    // What becomes of the replica is told here, in other words than what becomes of the database.
    this.#replica ??= await PostgresReader.open(this.#places.replica, this.#places.connections);
    if (this.#isClosed) await this.#replica.close();
    return this.#replica;
  }

  async #openLookout(): Promise<PostgresReader> {
    this.#lookout ??= await PostgresReader.open(this.#places.primary, 1);
    if (this.#isClosed) await this.#lookout.close();
    return this.#lookout;
  }

  /** Fails where it takes longer than a read may: the caller has waited for the replica already. */
  async #reachPrimary(): Promise<PostgresReader> {
    this.#primary ??= this.#openPrimary();
    const late = () => new StoreUnavailable("the primary does not answer");
    return withDeadline(this.#primary, MAX_WAIT_MS, late);
  }

  #openPrimary(): Promise<PostgresReader> {
    const { primary, connections } = this.#places;
    const opening = PostgresReader.open(primary, connections, this.#log);
    const forget = () => {
      this.#primary = undefined;
    };
    opening.catch(() => setTimeout(forget, RETRY_MS).unref());
    return opening;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#replica?.close();
    await this.#lookout?.close();
    await this.#primary?.then(
      (primary) => primary.close(),
      () => {},
    );
  }
}

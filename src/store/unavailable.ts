/** Why a database cannot be used. */
export type StoreFault =
  | "unreachable"
  | "no-folder"
  | "no-permission"
  | "read-only"
  | "standby"
  | "damaged"
  | "foreign"
  | "locked"
  | "no-room"
  | "encoding"
  | "unusable";

/** Storage cannot be reached, read or written right now. */
export class StoreUnavailable extends Error {
  override readonly name: string = "StoreUnavailable";
  readonly fault: StoreFault;
  /** The file that it is about, where the database is one. */
  readonly file: string | undefined;

  constructor(message: string, options: { fault?: StoreFault; file?: string; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.fault = options.fault ?? "unreachable";
    this.file = options.file;
  }

  /** What a log says of it. */
  get reason(): string {
    const { message, cause } = this;
    if (cause === undefined) return message;
    return `${message}: ${cause instanceof StoreUnavailable ? cause.message : String(cause)}`;
  }
}

export interface SchemaVersion {
  /** 0 where there is no schema yet. */
  readonly found: number;
  readonly expected: number;
}

/** Thrown by everything that needs the schema of this Vitrine and finds another one. */
export class OtherSchema extends StoreUnavailable {
  override readonly name = "OtherSchema";
  readonly version: SchemaVersion;

  constructor(database: string, version: SchemaVersion) {
    const { found, expected } = version;
    super(
      found === 0
        ? `the database ${database} has no schema of Vitrine's`
        : `the database ${database} has schema version ${found}, and this Vitrine needs version ${expected}`,
      { fault: "unusable" },
    );
    this.version = version;
  }
}

/** Refuses a schema that is not this Vitrine's. Nothing is brought up to date by being opened. */
export function refuseOtherSchema(database: string, version: SchemaVersion): void {
  if (version.found !== version.expected) throw new OtherSchema(database, version);
}

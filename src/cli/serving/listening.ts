import { Failure } from "../failure.ts";

interface Place {
  readonly host: string;
  readonly port: number;
  /** The flags that say where. */
  readonly hostFlag: string;
  readonly portFlag: string;
}

/** Starts what listens, and says what to do where it cannot. */
export function listening<Server>({ host, port, hostFlag, portFlag }: Place, start: () => Server): Server {
  try {
    return start();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "EADDRNOTAVAIL") {
      throw new Failure(`${host} is not an address of this machine`, `vitrine serve ${hostFlag} 127.0.0.1`);
    }
    if (code === "EADDRINUSE") {
      throw new Failure(
        `port ${port} of ${host} is in use`,
        `vitrine serve ${portFlag} ${port === 65_535 ? 3000 : port + 1}`,
      );
    }
    throw new Failure(
      `cannot serve on ${host} port ${port}: ${message}`,
      `vitrine serve ${hostFlag} 127.0.0.1 ${portFlag} 3000`,
    );
  }
}

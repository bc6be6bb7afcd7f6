import { HEADER } from "../../contract/headers.ts";
import { paramsIn } from "../../contract/path-template.ts";
import { STUDIO_ROUTES, type StudioRoute, type StudioRouteName } from "../contract.ts";
import { notFound, StudioFault } from "../faults.ts";

export interface Match {
  readonly name: StudioRouteName;
  readonly route: StudioRoute;
  readonly params: Readonly<Record<string, string>>;
}

const ROUTES = Object.entries(STUDIO_ROUTES).map(([name, route]) => ({
  name: name as StudioRouteName,
  route: route as StudioRoute,
  steps: route.path.split("/"),
}));

/** The route of a method and a path, as the table has it. */
export function findRoute(method: string, path: string): Match {
  const steps = path.split("/").map(decoded);
  const there = ROUTES.flatMap(({ name, route, steps: wanted }) => {
    const params = paramsIn(steps, wanted);
    return params ? [{ name, route, params }] : [];
  });
  const match = there.find(({ route }) => route.method === method);
  if (match) return match;
  if (there.length === 0) throw notFound("path");
  // RFC 9110, section 15.5.6.
  const headers = { [HEADER.allow]: there.map(({ route }) => route.method).join(", ") };
  throw new StudioFault("wrong-method", "That cannot be done here.", {}, headers);
}

function decoded(step: string): string {
  try {
    return decodeURIComponent(step);
  } catch {
    throw new StudioFault("malformed", "The address cannot be read.");
  }
}

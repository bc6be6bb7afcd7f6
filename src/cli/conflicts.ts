import type { Settings, StudioSettings } from "../settings.ts";
import { engineAt } from "../store/engines.ts";
import { Misuse } from "./failure.ts";

/** Settings of a server that can be used one by one, but not together. */
export async function serverConflicts(
  settings: Pick<Settings, "database" | "databaseRead" | "redis" | "workers">,
): Promise<Misuse[]> {
  const conflicts: Misuse[] = [];
  const { workers } = settings;
  if (workers > 1 && !settings.redis)
    conflicts.push(
      new Misuse(
        `${workers} workers without Redis would count apart, and let a user in ${workers} times as often as the limits say`,
        `vitrine serve --workers ${workers} --redis redis://127.0.0.1:6379`,
      ),
    );
  if (settings.databaseRead && !(await engineAt(settings.database)).hasReplicas)
    conflicts.push(
      new Misuse(
        "DATABASE_READ_URL is set, but only a PostgreSQL database has replicas",
        "vitrine serve --database postgres://HOST/DATABASE --database-read postgres://REPLICA/DATABASE",
      ),
    );
  return conflicts;
}

/** The same of the studio. */
export function studioConflicts(settings: Pick<StudioSettings, "oidcIssuer" | "oidcClientId">): Misuse[] {
  const { oidcIssuer, oidcClientId } = settings;
  if (!oidcIssuer || oidcClientId) return [];
  return [
    new Misuse(
      "OIDC_ISSUER is set, but OIDC_CLIENT_ID is not, and the provider would let nobody in",
      `vitrine studio --oidc-issuer ${oidcIssuer} --oidc-client-id ID`,
    ),
  ];
}

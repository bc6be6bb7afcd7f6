import type { RouteName } from "../contract/routes.ts";

/** Where an agent's answers come from. */
export interface AgentSource {
  /** The text of a document of the API, or of one link tree's. The agent is told the message of what fails here. */
  read(route: RouteName, slug?: string): Promise<string>;
}

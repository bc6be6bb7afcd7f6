import type { Profile } from "./record.ts";

/** The addresses of a profile that are at somebody else's. */
export const NETWORK_FIELDS = [
  "codehostUrl",
  "socialnetworkUrl",
  "microblogUrl",
  "professionalnetworkUrl",
  "videoUrl",
] as const satisfies readonly (keyof Profile)[];

export type NetworkField = (typeof NETWORK_FIELDS)[number];

/** What each kind of network is called where no better name is known. */
const KINDS: Readonly<Record<NetworkField, string>> = {
  codehostUrl: "Code host",
  socialnetworkUrl: "Social network",
  microblogUrl: "Microblog",
  professionalnetworkUrl: "Professional network",
  videoUrl: "Video",
};

interface Network {
  readonly field: NetworkField;
  readonly name: string;
  /** What else it is called, or was. */
  readonly aliases?: readonly string[];
  readonly hosts: readonly string[];
}

/** The networks that other programs know by name. */
const NETWORKS: readonly Network[] = [
  { field: "codehostUrl", name: "GitHub", hosts: ["github.com"] },
  { field: "codehostUrl", name: "GitLab", hosts: ["gitlab.com"] },
  { field: "codehostUrl", name: "Codeberg", hosts: ["codeberg.org"] },
  { field: "codehostUrl", name: "Bitbucket", hosts: ["bitbucket.org"] },
  { field: "codehostUrl", name: "SourceHut", hosts: ["sr.ht", "git.sr.ht"] },
  { field: "socialnetworkUrl", name: "Facebook", hosts: ["facebook.com", "fb.com"] },
  { field: "socialnetworkUrl", name: "Instagram", hosts: ["instagram.com"] },
  { field: "microblogUrl", name: "X", aliases: ["Twitter"], hosts: ["x.com", "twitter.com"] },
  { field: "microblogUrl", name: "Mastodon", hosts: ["mastodon.social"] },
  { field: "microblogUrl", name: "Bluesky", hosts: ["bsky.app"] },
  { field: "microblogUrl", name: "Threads", hosts: ["threads.net", "threads.com"] },
  { field: "professionalnetworkUrl", name: "LinkedIn", hosts: ["linkedin.com"] },
  { field: "professionalnetworkUrl", name: "Xing", hosts: ["xing.com"] },
  { field: "videoUrl", name: "YouTube", hosts: ["youtube.com", "youtu.be"] },
  { field: "videoUrl", name: "Vimeo", hosts: ["vimeo.com"] },
  { field: "videoUrl", name: "Twitch", hosts: ["twitch.tv"] },
  { field: "videoUrl", name: "TikTok", hosts: ["tiktok.com"] },
];

const folded = (name: string) => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "");

const BY_NAME = new Map<string, NetworkField>([
  ...NETWORK_FIELDS.map((field) => [folded(KINDS[field]), field] as const),
  ...NETWORKS.flatMap(({ name, aliases = [], field }) =>
    [name, ...aliases].map((one) => [folded(one), field] as const),
  ),
]);

const BY_HOST = new Map(NETWORKS.flatMap((network) => network.hosts.map((host) => [host, network] as const)));

function networkAt(url: string): Network | undefined {
  const host = URL.parse(url)?.hostname.replace(/^(?:www|m)\./, "");
  // A country's or a language's own page is a subdomain.
  return BY_HOST.get(host ?? "") ?? BY_HOST.get(host?.split(".").slice(-2).join(".") ?? "");
}

/** What an address of a profile is called: by its host where that is known for this kind, else by the kind. */
export function networkName(field: NetworkField, url: string): string {
  const network = networkAt(url);
  return network?.field === field ? network.name : KINDS[field];
}

/** Where a profile keeps the address of a network, by what it is called, or else by where it leads. */
export function networkField(name: string | undefined, url: string): NetworkField | undefined {
  return BY_NAME.get(folded(name ?? "")) ?? networkAt(url)?.field;
}

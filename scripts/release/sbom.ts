/** The parts of a CycloneDX document that are touched here. */
export interface Sbom {
  readonly serialNumber: string;
  readonly metadata: {
    readonly timestamp: string;
    readonly component: { readonly name: string; readonly type: string };
  };
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

interface Component {
  readonly "bom-ref": string;
  readonly name: string;
  readonly version: string;
  readonly externalReferences?: readonly { readonly type: string; readonly url: string }[];
}

export interface Lock {
  readonly packages: Readonly<Record<string, { readonly version?: string; readonly dev?: boolean }>>;
}

/** Code of others that is in the repository itself. */
interface Vendored {
  readonly name: string;
  readonly version: string;
  readonly license: string;
}

interface Facts {
  readonly lock: Lock;
  readonly vendored: readonly Vendored[];
  /** The name of the released package; npm takes that of the folder. */
  readonly name: string;
  readonly time: Date;
}

/** Of all that npm lists what is shipped, and nothing that depends on when, where and on which machine it was listed. */
export function shippedParts(sbom: Sbom, { lock, vendored, name, time }: Facts): Sbom {
  const shipped = new Set(
    shippedPaths(lock).map((path) => `${nameIn(path)}@${lock.packages[path]?.version}`),
  );
  const components = [
    ...sbom.components.filter((it) => shipped.has(`${it.name}@${it.version}`)).map(withoutPlace),
    ...vendored.map(componentOf),
  ];
  const known = new Set(components.map((it) => it["bom-ref"]));
  const root = sbom.dependencies[0]?.ref ?? "";
  const document = {
    ...sbom,
    serialNumber: "",
    metadata: {
      ...sbom.metadata,
      timestamp: time.toISOString(),
      component: { ...sbom.metadata.component, name, type: "application" },
    },
    components,
    dependencies: sbom.dependencies
      .filter(({ ref }) => ref === root || known.has(ref))
      .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((it) => known.has(it)) })),
  };
  return { ...document, serialNumber: `urn:uuid:${uuidOf(JSON.stringify(document))}` };
}

/** Where the packages lie that are shipped. The runtimes of all systems are one with `bun`. */
export function shippedPaths({ packages }: Lock): string[] {
  return Object.entries(packages)
    .filter(([path, { dev }]) => path !== "" && !dev && !/^@(?:oven|types)\//.test(nameIn(path)))
    .map(([path]) => path);
}

function nameIn(path: string): string {
  return path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
}

/** Where a package was fetched from says nothing of what it is. */
function withoutPlace(component: Component): Component {
  return {
    ...component,
    externalReferences: component.externalReferences?.filter(({ type }) => type !== "distribution") ?? [],
  };
}

function componentOf({ name, version, license }: Vendored): Component {
  const component = {
    "bom-ref": `${name}@${version}`,
    type: "library",
    name,
    version,
    purl: `pkg:npm/${name.replace("@", "%40")}@${version}`,
    licenses: [{ license: { id: license } }],
  };
  return component;
}

/** A number for a document that is the same for the same document (RFC 9562, version 8). */
function uuidOf(text: string): string {
  const digits = new Bun.CryptoHasher("sha256").update(text).digest("hex");
  return digits.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, "$1-$2-8$3-8$4-$5");
}

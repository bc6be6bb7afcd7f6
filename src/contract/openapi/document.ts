import { HEADER } from "../headers.ts";
import { HEALTH_PATH, READY_PATH, ROUTES, type Route, type RouteName } from "../routes.ts";
import { type Answer, jsonContent, referToAnswer, SHARED_ANSWERS, withoutBody } from "./answers.ts";
import { answerHeaders, fixed, namedHeaders, STANDING } from "./headers.ts";
import { namedSchemas, referTo, type Schema, type SchemaName } from "./schemas.ts";
import { introduction, type Limits, limitSentence } from "./words.ts";

/** What the document takes from elsewhere. */
interface Particulars {
  readonly version: string;
  readonly limits: Limits;
  /** A real answer of each route, and the slug of the link tree among them. */
  readonly answers: Readonly<Record<RouteName, unknown>>;
  readonly slug: string;
  /** The answer of `/user/full` to a key of the public view. */
  readonly publicUser: unknown;
}

const TAGS = {
  Profile: "Who you are and what you have done, whole or in parts.",
  "Link trees": "Your lists of links, each of which has a public page as well.",
  Server: "The server itself.",
} as const;

interface Operation {
  readonly id: string;
  readonly title: string;
  readonly tag: keyof typeof TAGS;
  readonly body: Schema;
}

const listOf = (name: SchemaName): Schema => ({ type: "array", items: referTo(name) });

/** What the table of routes does not say of each. */
const OPERATIONS: Readonly<Record<RouteName, Operation>> = {
  full: {
    id: "getFull",
    title: "The whole profile",
    tag: "Profile",
    body: { oneOf: [referTo("FullUser"), referTo("PublicUser")] },
  },
  linktrees: {
    id: "listLinkTrees",
    title: "All link trees",
    tag: "Link trees",
    body: listOf("PublicLinkTree"),
  },
  linktree: {
    id: "getLinkTree",
    title: "One link tree",
    tag: "Link trees",
    body: referTo("PublicLinkTree"),
  },
  links: { id: "getLinks", title: "Public links", tag: "Profile", body: referTo("PublicLinks") },
  jobs: { id: "listJobs", title: "Jobs", tag: "Profile", body: listOf("Job") },
  projects: { id: "listProjects", title: "Projects", tag: "Profile", body: listOf("Project") },
  education: { id: "listEducation", title: "Education", tag: "Profile", body: listOf("Education") },
  resume: { id: "getResume", title: "JSON Resume", tag: "Profile", body: referTo("Resume") },
};

const parameter = (name: string) => ({ $ref: `#/components/parameters/${name}` });

/** The OpenAPI document, made from the tables of the contract. */
export function openApiDocument(particulars: Particulars) {
  return {
    openapi: "3.1.1",
    info: {
      title: "Vitrine",
      summary: "Your own profile and link trees back as data.",
      description: introduction(),
      version: particulars.version,
      contact: { name: "The operator of this server" },
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: "/", description: "The server that this document comes from." }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    security: [{ key: [] }],
    paths: {
      ...Object.fromEntries(
        ROUTES.map((route) => [
          route.path.replace(":slug", "{slug}"),
          withHead(operation(route, particulars)),
        ]),
      ),
      [HEALTH_PATH]: withHead(health()),
      [READY_PATH]: withHead(readiness()),
    },
    components: {
      securitySchemes: {
        key: {
          type: "http",
          scheme: "bearer",
          bearerFormat: "vit_, or vitp_ for the public view, and 49 letters and digits",
          description: "Your personal key. It says whose data is meant, and how much of it is shown.",
        },
      },
      parameters: {
        slug: {
          name: "slug",
          in: "path",
          required: true,
          description: "The slug of one of your link trees, percent-encoded.",
          schema: { type: "string" },
          example: particulars.slug,
        },
        ifNoneMatch: {
          name: HEADER.ifNoneMatch,
          in: "header",
          description: `The \`${HEADER.etag}\` of an earlier answer. While it still holds, you get a 304, in whichever encoding you had it.`,
          schema: { type: "string" },
        },
        requestId: {
          name: HEADER.requestId,
          in: "header",
          description:
            "Your own id for the request: up to 128 letters, digits, `-`, `_` and `.`. Anything else is replaced, and so is what looks like a key.",
          schema: { type: "string" },
        },
      },
      headers: namedHeaders(),
      responses: { ...SHARED_ANSWERS, ...SHARED_ANSWERS_TO_HEAD },
      // An error has its examples where it is answered: a mock server takes those of a schema for any status.
      schemas: namedSchemas(),
    },
  };
}

type Responses = Readonly<Record<string, Answer | { readonly $ref: string }>>;

interface Described {
  readonly operationId: string;
  readonly responses: Responses;
}

const SHARED_ANSWERS_TO_HEAD = Object.fromEntries(
  Object.entries(SHARED_ANSWERS).map(([name, answer]) => [`${name}ToHead`, withoutBody(answer)]),
);

/**
 * Both methods of a path: HEAD answers as GET does, without the body. The page that people read says so in a line, and
 * would else list every path twice.
 */
function withHead<Get extends Described>(get: Get) {
  const responses = Object.entries(get.responses).map(([status, answer]) => [
    status,
    "$ref" in answer ? { $ref: `${answer.$ref}ToHead` } : withoutBody(answer),
  ]);
  const head = {
    ...get,
    operationId: get.operationId.replace(/^(?:get|list)/, "head"),
    responses: Object.fromEntries(responses),
    "x-scalar-ignore": true,
  };
  return { get, head };
}

function operation(route: Route & { name: RouteName }, { limits, answers, publicUser }: Particulars) {
  const { id, title, tag, body } = OPERATIONS[route.name];
  const isTree = route.document === "linktree";
  return {
    operationId: id,
    tags: [tag],
    summary: title,
    description: `${route.summary}\n\n${limitSentence(limits[route.limit])}`,
    parameters: [...(isTree ? ["slug"] : []), "ifNoneMatch", "requestId"].map(parameter),
    responses: {
      "200": {
        description: title,
        headers: answerHeaders(HEADER.etag, HEADER.contentEncoding, ...STANDING),
        content: jsonContent(body, {
          sample: { value: answers[route.name] },
          ...(route.name === "full" && { public: { value: publicUser } }),
        }),
      },
      "304": referToAnswer("NotModified"),
      "400": referToAnswer("BadRequest"),
      "401": referToAnswer("Unauthorized"),
      "403": referToAnswer("Forbidden"),
      ...(isTree && { "404": referToAnswer("TreeNotFound") }),
      "405": referToAnswer("MethodNotAllowed"),
      "429": referToAnswer("RateLimited"),
      "500": referToAnswer("InternalServerError"),
      "503": referToAnswer("ServiceUnavailable"),
    },
  };
}

const NOT_KEPT = { [HEADER.cacheControl]: fixed("Nobody may keep the answer.", "no-store") };

function health() {
  return {
    operationId: "getHealth",
    tags: ["Server"],
    summary: "Health",
    description: "Answers as soon as the process serves, without a key and without touching storage.",
    security: [],
    parameters: [parameter("requestId")],
    responses: {
      "200": {
        description: "It does.",
        headers: { ...answerHeaders(), ...NOT_KEPT },
        content: jsonContent(referTo("Health"), { sample: { value: { status: "ok" } } }),
      },
      "400": referToAnswer("BadRequest"),
      "405": referToAnswer("MethodNotAllowed"),
    },
  };
}

function readiness() {
  const unavailable = SHARED_ANSWERS.ServiceUnavailable;
  return {
    operationId: "getReadiness",
    tags: ["Server"],
    summary: "Readiness",
    description: "Says whether requests should be sent here. It is for load balancers, and needs no key.",
    security: [],
    parameters: [parameter("requestId")],
    responses: {
      "200": {
        description: "They should.",
        headers: { ...answerHeaders(), ...NOT_KEPT },
        content: jsonContent(referTo("Readiness"), { sample: { value: { status: "ready" } } }),
      },
      "400": referToAnswer("BadRequest"),
      "405": referToAnswer("MethodNotAllowed"),
      "500": referToAnswer("InternalServerError"),
      "503": {
        ...unavailable,
        description: "They should not: storage does not answer, or the process is about to stop.",
        headers: { ...unavailable.headers, ...NOT_KEPT },
      },
    },
  };
}

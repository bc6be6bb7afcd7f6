/**
 * What records have in common, so that none has to say it: the names of their fields in their order, as JSON, and what
 * addresses and times begin and end with. What was compressed with it can be read only with it: it is never changed.
 */
const SHAPE = [
  '"https://www.linkedin.com/in/","https://www.instagram.com/","https://www.facebook.com/","https://www.youtube.com/@","https://github.com/","https://mastodon.social/@","mailto:","@gmail.com",".html",".org/",".com/',
  '{"id":"","createdAt":"2026-01-01T00:00:00.000Z","updatedAt":"2026-01-01T00:00:00.000Z","codehostId":1,"email":"@example.com","profile":{"updatedAt":"2026-01-01T00:00:00.000Z","isPublic":false,"slug":"","language":"en",',
  ...["name", "avatarUrl", "phone", "url", "summary", "location", "codehostUrl", "socialnetworkUrl"].map(
    (field) => `"${field}":{"isPublic":false,"value":null},`,
  ),
  ...["microblogUrl", "professionalnetworkUrl", "videoUrl"].map(
    (field) => `"${field}":{"isPublic":true,"value":"https://www."},`,
  ),
  '},"jobs":[{"id":"","createdAt":"2026-01-01T00:00:00.000Z","updatedAt":"2026-01-01T00:00:00.000Z","userId":"","title":"Engineer","startDate":"2020-01-01T00:00:00.000Z","endDate":null,"isCurrent":true,"isPublic":true,"companyName":"","technologies":["TypeScript","JavaScript","Python"],"description":"","isRemote":true,"companyUrl":"https://www.","listingId":""},{"id":"',
  '"},"projects":[{"title":"","shortDescription":"","technologies":[],"isCurrent":false,"isRemote":false,"isOpenSource":true,"description":"","role":"","startDate":"2020-01-01T00:00:00.000Z","endDate":"2020-12-31T00:00:00.000Z","repoUrl":"https://github.com/","demoUrl":null,"jobId":null},',
  '],"linkTrees":[{"id":"","createdAt":"2026-01-01T00:00:00.000Z","updatedAt":"2026-01-01T00:00:00.000Z","slug":"","title":"","description":null,"look":{"theme":"","accent":"#"},"hasPage":false,"links":[{"id":"","label":"","url":"https://www.","section":"","isHidden":true},{"id":"","label":"","url":"https://"}]},',
  '],"education":[{"institution":"University","institutionUrl":"https://www.","fieldOfStudy":"","studyLevel":"BACHELOR","studyLevel":"MASTER","startDate":"2015-01-01T00:00:00.000Z","endDate":"2018-12-31T00:00:00.000Z","isCurrent":false}]}',
].join("");

let dictionary: Buffer | undefined;

/** Imported above, the library would be loaded by every command, whether it reads records or not. */
function library() {
  dictionary ??= Buffer.from(SHAPE);
  return { zlib: process.getBuiltinModule("node:zlib"), dictionary };
}

/** Quick rather than small, since an import compresses every record: twice the time would save a hundredth. */
export function packRecord(text: string): Uint8Array {
  const { zlib, dictionary } = library();
  const params = { [zlib.constants.ZSTD_c_compressionLevel]: 1 };
  return zlib.zstdCompressSync(text, { params, dictionary });
}

/** Nothing where the bytes are damaged: that is no JSON, as everybody will find who reads it. */
export function unpackRecord(bytes: Uint8Array): string {
  const { zlib, dictionary } = library();
  try {
    return zlib.zstdDecompressSync(bytes, { dictionary }).toString();
  } catch {
    return "";
  }
}

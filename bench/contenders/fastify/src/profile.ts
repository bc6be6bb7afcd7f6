import type { profiles } from "./schema.js";

type Row = typeof profiles.$inferSelect;

/** A row of profiles as it goes out: each value with its flag. */
export function presentProfile(row: Row) {
  return {
    updatedAt: row.updatedAt,
    isPublic: row.isPublic,
    slug: row.slug,
    name: { isPublic: row.nameIsPublic, value: row.name },
    avatarUrl: { isPublic: row.avatarUrlIsPublic, value: row.avatarUrl },
    phone: { isPublic: row.phoneIsPublic, value: row.phone },
    url: { isPublic: row.urlIsPublic, value: row.url },
    summary: { isPublic: row.summaryIsPublic, value: row.summary },
    location: { isPublic: row.locationIsPublic, value: row.location },
    codehostUrl: { isPublic: row.codehostUrlIsPublic, value: row.codehostUrl },
    socialnetworkUrl: { isPublic: row.socialnetworkUrlIsPublic, value: row.socialnetworkUrl },
    microblogUrl: { isPublic: row.microblogUrlIsPublic, value: row.microblogUrl },
    professionalnetworkUrl: {
      isPublic: row.professionalnetworkUrlIsPublic,
      value: row.professionalnetworkUrl,
    },
    videoUrl: { isPublic: row.videoUrlIsPublic, value: row.videoUrl },
  };
}

/** Timestamps go out with four digits for the year, so these are the first and the last that there can be. */
export const EARLIEST_INSTANT = Date.parse("0001-01-01T00:00:00.000Z");
export const LATEST_INSTANT = Date.parse("9999-12-31T23:59:59.999Z");

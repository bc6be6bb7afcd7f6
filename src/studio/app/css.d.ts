/** Styles that the bundler takes along: importing them gives nothing. */
declare module "*.css" {}

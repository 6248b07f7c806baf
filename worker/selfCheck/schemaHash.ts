/** Written by scripts/schema-hash.mjs from the migrations: run that, don't edit this. */
export const SCHEMA_HASH = 'aa1ebb981234b46ff1ce2bf0443faedb1c6b4df71649f1eaa8b7a00bf475ca74'

/** Written by scripts/schema-hash.mjs from the migrations: run that, don't edit this. */
export const SCHEMA_HASH = '51f5692e84fecca8763d7a44045a220cf2cea6568edf1fb217f3b317eda73ae1'

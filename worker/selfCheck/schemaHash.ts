/** Written by scripts/schema-hash.mjs from the migrations: run that, don't edit this. */
export const SCHEMA_HASH = '0e76eec9962f0ab71c450cc499b5166bd2672f1aecc816dce9d37ebbb6527460'

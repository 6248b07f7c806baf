/** Written by scripts/schema-hash.mjs from the migrations: run that, don't edit this. */
export const SCHEMA_HASH = '1c75f94ffb334e68a518d156d2c50931fca5de53637d4cd4c989f66519c36e4d'

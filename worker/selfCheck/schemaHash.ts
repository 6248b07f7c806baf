/** Written by scripts/schema-hash.mjs from the migrations: run that, don't edit this. */
export const SCHEMA_HASH = 'de4689db445049785337c3a94f4c8e6baeb35230fe7bd4af9b3997c49f3d57be'

/** Written by scripts/schema-hash.mjs from the migrations: run that, don't edit this. */
export const SCHEMA_HASH = '71c5b48c77944af18d1ee88bc01a5f961162a57237762858231045f933327a76'

/** Written by scripts/schema-hash.mjs from the migrations: run that, don't edit this. */
export const SCHEMA_HASH = '450ad3b37b2a63812179ddd24d634067885469f0f3fa8f820392cb8def69186a'

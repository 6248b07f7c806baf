/** Written by scripts/schema-hash.mjs from the migrations: run that, don't edit this. */
export const SCHEMA_HASH = '2c6acad07ce73eccd23e64609c251621dda6e4d7ac4376132c4628c740577798'

export const LOST = 'It could not be loaded. Please try again.'

/** What was asked for did not come. The words are for who asked. */
export class Lost extends Error {}

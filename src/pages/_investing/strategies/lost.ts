export const LOST = 'It could not be loaded. Please try again.'

/** What was asked for did not come. */
export class Lost extends Error {}

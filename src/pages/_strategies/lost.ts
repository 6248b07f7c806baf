/** What was asked for did not come. The words are for who asked. */
export class Lost extends Error {
  constructor(words = 'It could not be loaded. Please try again.') {
    super(words)
  }
}

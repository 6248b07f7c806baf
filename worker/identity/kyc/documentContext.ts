/** What a document is sealed for, and opens for alone: this person and this file. */
export function documentContext(userId: string, fileKey: string): string {
  return `${userId}:${fileKey}`
}

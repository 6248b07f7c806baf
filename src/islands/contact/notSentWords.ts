/** Why a message was not sent, and that nothing of it is lost. */
export function notSentWords(msg: string): string {
  return `Your message was not sent. ${msg} What you wrote is still here.`
}

/** How long a message may be, and once it comes near to that, how long it is. */
export function lengthWords(text: string, max: number): string {
  const length = text.trim().length
  if (length < max * 0.9) return `Up to ${inThousands(max)} characters.`
  if (length <= max) return `${inThousands(length)} of ${inThousands(max)} characters.`
  return `${inThousands(length)} characters: ${inThousands(length - max)} too many.`
}

function inThousands(count: number): string {
  return count.toLocaleString('en-US')
}

/** Why a message was not sent, and that nothing of it is lost. */
export function notSentWords(msg: string): string {
  return `Your message was not sent. ${msg} What you wrote is still here.`
}

import type { ApiFailure } from '../lib/ApiFailure.ts'

/** Why a message was not sent, when it can be, and that nothing of it is lost. */
export function notSentWords({ msg, retryAfterSeconds }: ApiFailure): string {
  const wait =
    retryAfterSeconds === undefined
      ? ''
      : ` The next message can be sent in ${durationWords(retryAfterSeconds)}.`
  return `Your message was not sent. ${msg}${wait} What you wrote is still here.`
}

/** Rounded up, so that nobody comes back too early. */
function durationWords(seconds: number): string {
  if (seconds < 60) return counted(seconds, 'second')
  const minutes = Math.ceil(seconds / 60)
  return minutes < 60 ? counted(minutes, 'minute') : counted(Math.ceil(minutes / 60), 'hour')
}

function counted(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}

import { useEffect, useState } from 'react'
import { getServerNow } from '../../lib/serverTime.ts'
import { describeWait } from './words.ts'

/** How long it is until a time, renewed twice a minute: 5 h 12 min. */
export function Countdown({ at }: { at: string }) {
  const [nowMs, setNow] = useState(getServerNow)
  useEffect(() => {
    const timer = setInterval(() => setNow(getServerNow()), 30_000)
    return () => clearInterval(timer)
  }, [])
  return <span>{describeWait(at, nowMs)}</span>
}

import { useStore } from '@nanostores/react'
import { $session, type Session } from './session.ts'

/** The session. Null during the build and on the first render, so that hydration matches the built page. */
export function useSession(): Session | null {
  return useStore($session, { ssr: () => null })
}

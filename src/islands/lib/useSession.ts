import { useStore } from '@nanostores/react'
import { $session, type Session } from './session.ts'

/** Who is signed in. Null while the page is built and on the first render, so that what was built can be taken over. */
export function useSession(): Session | null {
  return useStore($session, { ssr: () => null })
}

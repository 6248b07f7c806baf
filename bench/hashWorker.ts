import { dummyHash } from '../worker/lib/crypto/dummyHash.ts'
import { verifyPassword } from '../worker/lib/crypto/password.ts'

/** Nothing but the password hash of a sign-in. */
export default {
  async fetch(request) {
    const { password } = await request.json<{ password: string }>()
    return Response.json({ isRight: await verifyPassword(password, dummyHash) })
  },
} satisfies ExportedHandler

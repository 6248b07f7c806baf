import { dummyHash } from '../../worker/lib/crypto/dummyHash.ts'
import { verifyPassword } from '../../worker/lib/crypto/password.ts'

/** Only verifies the password hash, as a sign-in does. */
export default {
  async fetch(request) {
    const { password } = await request.json<{ password: string }>()
    return Response.json({ isRight: await verifyPassword(password, dummyHash) })
  },
} satisfies ExportedHandler

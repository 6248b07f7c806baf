import { endpoint } from '../endpoint.ts'

/** Apart from the other calls of signing in: every signed-in page ships it, and none of the schemas that they need. */
export const logout = endpoint({
  method: 'POST',
  path: '/auth/logout',
  scope: 'signed-in',
  summary: 'End this session: its token is dead',
  status: 204,
})

import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { ROLES } from './roles.ts'

export const getSelf = endpoint({
  method: 'GET',
  path: '/operator/me',
  scope: 'operator:overview',
  summary: 'Who one is as an operator, and with which roles',
  status: 200,
  answer: z.object({
    _id: z.string(),
    name: z.string(),
    email: z.string(),
    roles: z.array(z.enum(ROLES)),
  }),
})

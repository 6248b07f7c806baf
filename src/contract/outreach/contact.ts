import * as z from 'zod/mini'
import { message } from '../common.ts'
import { endpoint } from '../endpoint.ts'
import { emailField, requiredLines, requiredText } from '../fields.ts'

/** The most characters of a message. */
export const MESSAGE_LENGTH = 5000

export const sendContactMessage = endpoint('POST', '/contact-us', 'public', {
  summary: 'Write to support',
  status: 201,
  body: z.object({
    name: requiredText('Name is required', 120),
    email: emailField(),
    message: requiredLines('Message is required', MESSAGE_LENGTH),
  }),
  answer: message,
  limit: { name: 'contact', per: 'address', max: 60, windowSeconds: 3600 },
})

export const getMessagingNumber = endpoint('GET', '/whatsapp', 'public', {
  summary: 'The messaging-app number of support; an empty list when there is none',
  answer: z.array(z.object({ number: z.string() })),
})

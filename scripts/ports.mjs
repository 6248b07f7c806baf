import { createServer } from 'node:net'

/** Whether this port is free on both addresses of `localhost`. @param {number} port */
export async function isFree(port) {
  return (await canListen(port, '127.0.0.1')) && (await canListen(port, '::1'))
}

/** A port that is free at this moment. @returns {Promise<number>} */
export async function findFreePort() {
  return await new Promise((resolve, reject) => {
    const server = createServer().once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      const port = typeof address === 'object' && address ? address.port : 0
      server.close(() => resolve(port))
    })
  })
}

/** @param {number} port @param {string} host @returns {Promise<boolean>} */
async function canListen(port, host) {
  return await new Promise((resolve) => {
    const server = createServer()
    // On a machine without IPv6, ::1 fails although the port is free.
    server.once('error', (error) => resolve(!('code' in error) || error.code !== 'EADDRINUSE'))
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)))
  })
}

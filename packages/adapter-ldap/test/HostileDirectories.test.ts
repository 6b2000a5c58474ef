/** Scripted directories that break LDAP, TLS or StartTLS, or never answer: the caller gets an error and connections close. */
import { inspect } from "node:util"
import type { Socket } from "node:net"
import { TLSSocket } from "node:tls"
import type { DirectoryFailure } from "@sojourn/core"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { LdapDirectory, type Options } from "../src/index.ts"
import { type Certificate, der, makeCertificates } from "./certificates.ts"
import { allowing, asking, credentials, url } from "./directory.ts"
import { type Listener, startListener, startTlsListener, until } from "./Listener.ts"
import {
  answering,
  type LdapRequest,
  BIND,
  entry,
  EXTENDED,
  message,
  obliging,
  result,
  SEARCH,
  value
} from "./script.ts"

const certificates = makeCertificates()
/** For directories that take too long. */
const QUICK: Options = { limits: { connect: "2 seconds", operation: "300 millis", total: "5 seconds" } }
/** For those that answer, however busy this machine is. */
const PATIENT: Options = { limits: { connect: "30 seconds", operation: "30 seconds", total: "1 minute" } }

/** Asks this listener for alice, by her id and by her name, and for all people. The answers, with reasons in parentheses. */
const askAll = (scheme: "ldap" | "ldaps", { address }: Listener, more: Options = {}) =>
  Effect.gen(function* () {
    const server = `${scheme}://${address}`
    const options: Options = {
      policy: allowing(server),
      certificates: [certificates.authority.pem],
      startTls: "never",
      ...PATIENT,
      ...more
    }
    const { authenticate, information } = yield* asking(options, url(`${server}/dc=x`))
    const questions: ReadonlyArray<Effect.Effect<unknown, DirectoryFailure>> = [
      authenticate("alice", "secret"),
      authenticate("uid=alice,dc=x", "secret"),
      information("uid=alice,dc=x", "secret", ["alice"]),
      information("alice", "secret", "everyone")
    ]
    return yield* Effect.all(
      questions.map((question) =>
        Effect.match(question, {
          onSuccess: (answer) => inspect(answer),
          onFailure: (error): string => (error._tag === "DirectoryUnreachable" ? error.reason : error._tag)
        })
      ),
      { concurrency: "unbounded" }
    )
  })

const CANNOT_READ = "the directory does not speak LDAP"
const CLOSED = "the directory closed the connection"
const TIMEOUT = "DirectoryTimeout"
const REFUSED = "DirectoryRefused"

/** Answers as a directory in order does, but to one kind of request. */
const but = (operation: number, answer: (request: LdapRequest) => ReadonlyArray<Uint8Array>) =>
  answering((request) => (request.operation === operation ? answer(request) : obliging()(request)))

/** The number of a message, which is more than 127 after many pages. */
const bytesOf = (messageId: number) => {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32BE(messageId)
  return bytes
}

/** Writes without end, as fast as the other side reads. */
const forever = (socket: Socket, bytes: Uint8Array) => {
  const more = () => {
    while (!socket.destroyed && socket.write(bytes));
  }
  socket.on("drain", more)
  more()
}

/** What servers do, and the answers that callers may get: every answer is one of these. */
const behaviours: Readonly<Record<string, readonly [talk: (socket: Socket) => void, answers: ReadonlyArray<string>]>> =
  {
    "say nothing": [() => {}, [TIMEOUT]],
    "close at once": [(socket) => socket.end(), [CLOSED, "the server closed the connection"]],
    "reset the connection": [
      (socket) => socket.resetAndDestroy(),
      [CLOSED, "the server closed the connection", "the connection was closed"]
    ],
    "answer the search and not the bind": [but(BIND, () => []), [TIMEOUT]],
    "close in the middle of an answer": [
      but(SEARCH, (request) => {
        request.socket.end(entry(request, "uid=alice,dc=x", { uid: ["alice"] }).subarray(0, 20))
        return []
      }),
      [CLOSED]
    ],
    "speak HTTP": [(socket) => socket.write("HTTP/1.1 400 Bad Request\r\n\r\n"), [CANNOT_READ]],
    "send 300,000 messages in a row": [
      // ldapts calls itself for each, until the stack is full.
      but(SEARCH, ({ messageId }) => {
        return [Buffer.alloc(300_000 * 7, message(messageId, der(0x73)))]
      }),
      ["the directory's answer has too many entries"]
    ],
    "send entries without end": [
      but(SEARCH, (request) => {
        forever(request.socket, entry(request, "uid=alice,dc=x", { uid: ["alice"] }))
        return []
      }),
      ["the directory's answer has too many entries", "the directory's answer is too large"]
    ],
    "send an entry without end": [
      but(SEARCH, ({ socket }) => {
        socket.write(Buffer.from([0x30, 0x83, 0x41, 0xff, 0xff]))
        forever(socket, Buffer.alloc(65536, 0x41))
        return []
      }),
      ["the directory's answer is too large"]
    ],
    "send a million values in many entries": [
      but(SEARCH, (request) => {
        const one = entry(request, "", { uid: Array.from({ length: 30_000 }, () => "") })
        return [Buffer.alloc(one.length * 33, one), result(request)]
      }),
      ["the directory's entries have too many values"]
    ],
    "send entries of another request": [
      but(SEARCH, (request) => [
        entry({ ...request, messageId: request.messageId + 1 }, "uid=alice,dc=x", { uid: ["alice"] }),
        result(request)
      ]),
      [REFUSED, "[]"]
    ],
    "go on with a bind that has ended": [
      but(BIND, (request) => [result(request, 14)]),
      ["the directory answers with result 14"]
    ],
    "send a byte now and then": [
      but(SEARCH, (request) => {
        const bytes = [...entry(request, "uid=alice,dc=x", { uid: ["alice"] })]
        const timer = setInterval(() => {
          const next = bytes.shift()
          if (next !== undefined) request.socket.write(Buffer.from([next]))
        }, 20)
        request.socket.once("close", () => clearInterval(timer))
        return []
      }),
      [TIMEOUT]
    ],
    "answer with an unknown message id": [
      but(SEARCH, (request) => [result({ ...request, messageId: request.messageId + 50 })]),
      [TIMEOUT]
    ],
    "announce the end of the connection": [
      but(SEARCH, (request) => [result({ ...request, messageId: 0, operation: EXTENDED })]),
      ["the directory ends the connection"]
    ],
    "refer to another server": [
      but(SEARCH, (request) => [
        result(request, 10, der(0xa3, der(0x04, Buffer.from("ldap://127.0.0.1:1/dc=x??sub"))))
      ]),
      ["the directory refers to another server, which is not followed"]
    ],
    "have no people, and refer to another server": [
      but(SEARCH, (request) => [
        message(request.messageId, der(0x73, der(0x04, Buffer.from("ldap://127.0.0.1:1/dc=x")))),
        result(request)
      ]),
      [REFUSED, "[]"]
    ],
    "are busy": [but(BIND, (request) => [result(request, 51)]), ["the directory is busy or shutting down"]],
    "require a stronger bind": [
      but(BIND, (request) => [result(request, 13)]),
      ["the directory requires TLS or a stronger sign-in"]
    ],
    "answer with an unknown result code": [
      but(BIND, (request) => [result(request, 123)]),
      ["the directory answers with result 123"]
    ],
    "accept every password with an anonymous bind": [
      but(EXTENDED, (request) => [result(request, 0, value(""))]),
      [REFUSED]
    ],
    "name entries like a mechanism of SASL": [
      answering((request) =>
        // The client must never request that mechanism: the name would then be in another field than that of a simple bind.
        request.operation === BIND && request.isSasl ? [Buffer.from("SASL")] : obliging("alice", "EXTERNAL")(request)
      ),
      [REFUSED, "'alice'", "[ { orgAuthServerId: 'alice', name: '', surname: '' } ]"]
    ],
    "have ids that are none": [
      but(SEARCH, (request) => [
        entry(request, "uid=alice,dc=x", { uid: [Buffer.from([0xff, 0xfe]), "", "a\u0000b"] }),
        result(request)
      ]),
      [REFUSED, "[]"]
    ],
    "have entries with attributes that objects have": [
      but(SEARCH, (request) => [
        entry(request, "uid=alice,dc=x", { __proto__x: ["a"], constructor: ["b"], dn: ["c"], toString: ["d"] }),
        result(request)
      ]),
      [REFUSED, "[]"]
    ]
  }

describe("directories that", () => {
  for (const [what, [talk, expected]] of Object.entries(behaviours)) {
    it.live(`${what}: the caller gets an error, and the connections are closed`, () =>
      Effect.gen(function* () {
        const listener = yield* startListener(talk)
        const limits = expected.includes(TIMEOUT) ? QUICK : PATIENT
        for (const answer of yield* askAll("ldap", listener, limits)) assert.include(expected, answer)
        yield* until("the connections are closed", () => listener.open() === 0)
        assert.isAbove(listener.connections(), 0)
      })
    )
  }

  it.live("send endless pages: the question still ends", () =>
    Effect.gen(function* () {
      const listener = yield* startListener(
        but(SEARCH, ({ messageId }) => {
          const id = der(0x02, bytesOf(messageId))
          const end = der(0x65, der(0x0a, Buffer.from([0])), der(0x04), der(0x04))
          const cookie = der(0x30, der(0x02, Buffer.from([0])), der(0x04, Buffer.from("more")))
          const paging = der(0x30, der(0x04, Buffer.from("1.2.840.113556.1.4.319")), der(0x04, cookie))
          // An alias is no person: however many pages there are, they never hold enough people.
          const attribute = der(0x30, der(0x04, Buffer.from("objectClass")), der(0x31, der(0x04, Buffer.from("alias"))))
          const alias = der(0x30, id, der(0x64, der(0x04), der(0x30, attribute)))
          return [Buffer.concat([alias, der(0x30, id, end, der(0xa0, paging))])]
        })
      )
      const server = `ldap://${listener.address}`
      const options: Options = { policy: allowing(server), startTls: "never", limits: { mostPeople: 100 } }
      const { information } = yield* asking(options, url(`${server}/dc=x`))
      const error = yield* Effect.flip(information("uid=alice,dc=x", "secret", "everyone"))
      assert.deepInclude(error, { reason: "the directory's answer has too many entries" })
      yield* until("the connections are closed", () => listener.open() === 0)
    })
  )

  it.live("are correct are accepted (control)", () =>
    Effect.gen(function* () {
      const alice = "[ { orgAuthServerId: 'alice', name: '', surname: '' } ]"
      const listener = yield* startListener(answering(obliging()))
      assert.deepStrictEqual(yield* askAll("ldap", listener), ["'alice'", "'alice'", alice, alice])
      const secure = yield* startTlsListener(certificates.server, answering(obliging()))
      assert.deepStrictEqual(yield* askAll("ldaps", secure), ["'alice'", "'alice'", alice, alice])
      yield* until("the connections are closed", () => listener.open() + secure.open() === 0)
    })
  )
})

describe("TLS", () => {
  for (const [what, certificate, trusted, reason] of [
    ["for another name", certificates.ofAnother, certificates.authority, /is for another name/],
    ["that has expired", certificates.expired, certificates.authority, /has expired/],
    ["that is self-signed", certificates.selfSigned, certificates.authority, /is self-signed/],
    ["of an untrusted authority", certificates.server, certificates.selfSigned, /authority .* is not (known|trusted)/]
  ] as const) {
    it.live(`a certificate ${what} is not accepted, regardless of the environment`, () =>
      Effect.gen(function* () {
        const secure = yield* startTlsListener(certificate, answering(obliging()))
        const ask = askAll("ldaps", secure, { certificates: [trusted.pem] })
        for (const answer of yield* ask) assert.match(answer, reason)
        process.env.NODE_TLS_REJECT_UNAUTHORIZED = "0"
        const answers = yield* Effect.ensuring(
          ask,
          Effect.sync(() => {
            delete process.env.NODE_TLS_REJECT_UNAUTHORIZED
          })
        )
        for (const answer of answers) assert.match(answer, reason)
        yield* until("the connections are closed", () => secure.open() === 0)
      })
    )
  }

  it.live("a handshake that never ends, and a server without TLS, are reported", () =>
    Effect.gen(function* () {
      const silent = yield* startListener(() => {})
      for (const answer of yield* askAll("ldaps", silent, QUICK)) assert.strictEqual(answer, TIMEOUT)
      const plain = yield* startListener((socket) => socket.write("220 smtp.example.org ESMTP\r\n"))
      for (const answer of yield* askAll("ldaps", plain)) assert.match(answer, /does not speak TLS/)
      yield* until("the connections are closed", () => silent.open() + plain.open() === 0)
    })
  )

  it.live("after StartTLS there is no downgrade, and data sent before it is discarded", () =>
    Effect.gen(function* () {
      const talks: ReadonlyArray<readonly [(socket: Socket) => void, RegExp]> = [
        [answering((request) => [result(request)]), /DirectoryTimeout|TLS/],
        [
          answering((request) => [
            Buffer.concat([
              result(request),
              result({ ...request, messageId: request.messageId + 1, operation: BIND }),
              Buffer.from([0x30])
            ])
          ]),
          /speaks before TLS has begun/
        ],
        [answering((request) => [result(request), Buffer.from("not a handshake")]), /TLS|LDAP/],
        [answering((request) => [result(request, 1)]), /does not begin TLS/],
        [answering(() => []), /DirectoryTimeout/]
      ]
      for (const [talk, expected] of talks) {
        const listener = yield* startListener(talk)
        const limits = expected.test(TIMEOUT) ? QUICK : PATIENT
        for (const startTls of ["offered", "required"] as const) {
          for (const answer of yield* askAll("ldap", listener, { ...limits, startTls })) {
            assert.match(answer, expected)
          }
        }
        yield* until("the connections are closed", () => listener.open() === 0)
        // No request but the one for TLS was ever sent in the clear.
        for (const word of ["secret", "alice", "dc=x"]) assert.notInclude(listener.said(), word)
      }
    })
  )
})

/** Goes on by TLS after the first request, as StartTLS has it. */
const startingTls =
  (certificate: Certificate, talk: (socket: Socket) => void, before: ReadonlyArray<Uint8Array> = []) =>
  (socket: Socket) => {
    answering((request) => {
      socket.removeAllListeners("data")
      socket.pause()
      socket.write(result(request))
      // What is written now and arrives before the handshake is in a packet of its own.
      setTimeout(() => {
        for (const bytes of before) socket.write(bytes)
        const secured = new TLSSocket(socket, { isServer: true, cert: certificate.pem, key: certificate.keyPem })
        secured.on("error", () => {})
        talk(secured)
      }, 20)
      return []
    })(socket)
  }

describe("StartTLS", () => {
  for (const [what, talk, expected] of [
    ["with the right certificate is as good as TLS", startingTls(certificates.server, answering(obliging())), /alice/],
    [
      "with a certificate for another name sends nothing",
      startingTls(certificates.ofAnother, answering(obliging())),
      /is for another name/
    ],
    [
      "with answers in the clear just before the handshake sends nothing",
      startingTls(certificates.server, answering(obliging()), [
        message(2, der(0x61, der(0x0a, Buffer.from([0])), der(0x04), der(0x04)))
      ]),
      /does not speak TLS/
    ]
  ] as const) {
    it.live(what, () =>
      Effect.gen(function* () {
        const listener = yield* startListener(talk)
        for (const startTls of ["offered", "required"] as const) {
          for (const answer of yield* askAll("ldap", listener, { startTls })) assert.match(answer, expected)
        }
        assert.notInclude(listener.said(), "secret")
        yield* until("the connections are closed", () => listener.open() === 0)
      })
    )
  }

  it.live("that a server does not support ends the connection where it is required, and no password is sent", () =>
    Effect.gen(function* () {
      for (const code of [1, 52]) {
        const listener = yield* startListener(but(EXTENDED, (request) => [result(request, code)]))
        for (const answer of yield* askAll("ldap", listener, { startTls: "required" })) {
          assert.strictEqual(answer, "the directory does not begin TLS")
        }
        assert.notInclude(listener.said(), "secret")
      }
    })
  )
})

describe("a directory that does not answer", () => {
  it.live("does not delay questions to another", () =>
    Effect.gen(function* () {
      const dead = yield* startListener(() => {})
      const live = yield* startListener(answering(obliging()))
      const [deadServer, liveServer] = [dead, live].map(({ address }) => `ldap://${address}`)
      const options: Options = {
        policy: allowing(deadServer ?? "", liveServer ?? ""),
        startTls: "never",
        limits: { operation: "1 minute", total: "1 minute", connectionsPerServer: 2, waitingPerServer: 1000 }
      }
      const directory = yield* LdapDirectory.make(options)
      const ask = (server: string | undefined) =>
        directory.authenticate(url(`${server}/dc=x`), credentials("alice", "secret"))
      const waiting = yield* Effect.forEach(Array.from({ length: 200 }), () => Effect.forkChild(ask(deadServer)))
      yield* until("the dead one is asked", () => dead.open() === 2)
      for (let i = 0; i < 20; i++) assert.strictEqual<string>(yield* ask(liveServer), "alice")
      assert.isTrue(waiting.every((fiber) => fiber.pollUnsafe() === undefined))
      assert.strictEqual(dead.open(), 2)
      yield* Fiber.interruptAll(waiting)
      yield* until("the connections are closed", () => dead.open() + live.open() === 0)
    })
  )

  it.live("ends after the total timeout", () =>
    Effect.gen(function* () {
      const slow = yield* startListener(
        answering((request) => {
          setTimeout(() => {
            for (const part of obliging()(request)) request.socket.write(part)
          }, 200)
          return []
        })
      )
      const limits = { operation: "10 seconds", total: "500 millis" } as const
      for (const answer of yield* askAll("ldap", slow, { limits })) assert.strictEqual(answer, TIMEOUT)
      yield* until("the connections are closed", () => slow.open() === 0)
    })
  )
})

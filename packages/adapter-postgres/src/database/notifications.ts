/** What other servers notify of, on a channel of the schema. */
import { StoreError } from "@sojourn/core"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { SqlError } from "effect/sql/SqlError"
import * as Stream from "effect/Stream"
import { type Database, describe } from "./Database.ts"
import type { Sessions } from "./Sessions.ts"
import type { Storing } from "./Storing.ts"

/** Subscribes to a channel; none where a pooler has no session to give. */
export type Listen = Option.Option<NonNullable<Sessions["listen"]>>

/** The payloads of the notifications of a channel, whose name is SQL; nothing where nothing is listened to. `of` names them in errors. */
export const notificationsOf = (
  db: Database,
  storing: Storing,
  listen: Listen,
  { channel, of }: { readonly channel: string; readonly of: string }
): Stream.Stream<string, StoreError> =>
  Option.match(listen, {
    onNone: () => Stream.never,
    onSome: (subscribe) =>
      storing(
        `find the channel of ${of}`,
        db.run<{ readonly channel: string }>(`select ${channel} as channel`, [])
      ).pipe(
        Effect.flatMap(([row]) => subscribe(row!.channel)),
        Effect.map(Stream.fromQueue),
        Stream.unwrap,
        Stream.map(({ payload }) => payload),
        Stream.mapError((error: SqlError | StoreError) =>
          error._tag === "StoreError"
            ? error
            : new StoreError({ operation: `listen for ${of}`, cause: describe(error) })
        )
      )
  })

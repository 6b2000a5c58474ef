/** Reduces the faults of a body of several kinds to those of the kind that was sent (spec: http#kind-of-movement). */
import * as SchemaAST from "effect/SchemaAST"
import * as SchemaIssue from "effect/SchemaIssue"

const isLiteral = (ast: SchemaAST.AST): boolean =>
  SchemaAST.isLiteral(ast) || (SchemaAST.isUnion(ast) && ast.types.every(SchemaAST.isLiteral))

/** Whether a member of a union was not what was sent: a field that names its kind, a literal, is wrong. */
const isOfOtherKind = (member: SchemaIssue.Issue): boolean => {
  if (member._tag !== "Composite" || !SchemaAST.isObjects(member.ast)) return false
  const { propertySignatures } = member.ast
  return member.issues.some(
    (fault) =>
      fault._tag === "Pointer" &&
      propertySignatures.some(({ name, type }) => name === fault.path[0] && isLiteral(SchemaAST.toEncoded(type)))
  )
}

/**
 * An issue without what it says of members of unions of other kinds than the one that was sent. The definition alone would have each kind
 * tried, and each failure told: a wrong time of an entrance would be a wrong kind of an exit as well.
 */
export const ofKind = (issue: SchemaIssue.Issue): SchemaIssue.Issue => {
  switch (issue._tag) {
    case "Pointer":
      return new SchemaIssue.Pointer(issue.path, ofKind(issue.issue))
    case "Composite": {
      const [first, ...others] = issue.issues
      return new SchemaIssue.Composite(issue.ast, [ofKind(first), ...others.map(ofKind)])
    }
    case "AnyOf": {
      const sent = issue.issues.filter((member) => !isOfOtherKind(member))
      return new SchemaIssue.AnyOf(issue.ast, (sent.length > 0 ? sent : issue.issues).map(ofKind))
    }
    default:
      return issue
  }
}

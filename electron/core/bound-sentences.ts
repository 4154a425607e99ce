import type { BoundName } from './bounds.ts';

type Row = readonly [en: string, zh: string, reason?: string];

/**
 * What happens when a bound is exceeded: a sentence for a person in both languages, and for some the same as a reason
 * that stands in another sentence. `{value}` is the bound, with its unit where that is a size or a time.
 */
export const BOUND_SENTENCES: Readonly<Record<BoundName, Row>> = {
  lineBytes: [
    'A message was longer than {value}, so the connection was ended. It is made again when it is needed.',
    '一条消息超过 {value}，连接已结束，需要时会重新建立。',
    'it sent a message that is too long',
  ],
  handshakeBytes: [
    'A program said more than {value} before it said who it is, so its connection was ended.',
    '某个程序在表明身份之前发送了超过 {value} 的内容，连接已结束。',
  ],
  messageDepth: [
    'A message was nested deeper than {value} levels and was not used; from a server it ends the connection or the list.',
    '一条消息的嵌套超过 {value} 层，未被使用；如果来自服务，则结束该连接或该列表。',
    'it sent a message that is nested too deeply',
  ],
  batchLength: [
    'More than {value} messages came in one batch, so none of them was used.',
    '一批消息超过 {value} 条，全部未被使用。',
    'it sent more than {value} messages in one batch',
  ],
  methodLength: [
    'A message named a method of more than {value} characters and was not used.',
    '一条消息的方法名超过 {value} 个字符，未被使用。',
  ],
  idLength: [
    'A request had an id of more than {value} characters, or a number that cannot be kept exactly, and was refused.',
    '一个请求的编号超过 {value} 个字符，或是无法精确保存的数字，已被拒绝。',
  ],
  progressTokenLength: [
    'A request had a progress token of more than {value} characters and was refused.',
    '一个请求的进度标记超过 {value} 个字符，已被拒绝。',
  ],
  capabilitiesLength: [
    'What it said that it can do is longer than {value} characters, so it was not let in.',
    '它声明的能力超过 {value} 个字符，未被接入。',
    'what it says that it can do is too long',
  ],
  unreadBytes: [
    'The server left {value} unread, so its connection was ended. It is started again when it is needed.',
    '服务有 {value} 内容未读取，连接已结束，需要时会重新启动。',
    'it does not read what it is sent',
  ],
  queuedBytes: [
    'The app left {value} unread, so nothing more is read from it, or from the servers that answer it, until it reads on.',
    '应用有 {value} 内容未读取，在它继续读取之前，不再读取它和回应它的服务。',
  ],
  stalledBytes: [
    'The app read nothing for long and {value} waited for it, so its connection was ended.',
    '应用长时间不读取，积压超过 {value}，连接已结束。',
  ],
  requestsInFlight: [
    'The app waits for {value} answers already, so the request was refused. Nothing was run; try again in a moment.',
    '应用已有 {value} 个请求在等待回应，这个请求被拒绝，没有执行任何操作，请稍后再试。',
  ],
  unansweredBytes: [
    'The app waits for answers to {value} of requests already, so the request was refused. Nothing was run; try again in a moment.',
    '应用已有 {value} 的请求在等待回应，这个请求被拒绝，没有执行任何操作，请稍后再试。',
  ],
  serverRequests: [
    'The server waits for {value} answers of your apps already, so its request was refused.',
    '服务已有 {value} 个请求在等待应用回应，这个请求被拒绝。',
  ],
  serverRequestBytes: [
    'The server waits for answers to {value} of requests already, so its request was refused.',
    '服务已有 {value} 的请求在等待应用回应，这个请求被拒绝。',
  ],
  logsPerSecond: [
    'The server sent more than {value} log messages in a second. The others were left out, and the app was told how many.',
    '服务一秒内发送了超过 {value} 条日志消息，多余的已省略，并已告知应用省略了多少条。',
  ],
  progressPerSecond: [
    'The server reported progress more than {value} times in a second. The other reports were left out.',
    '服务一秒内报告了超过 {value} 次进度，多余的已省略。',
  ],
  connectionsPerApp: [
    'The app has {value} connections already, so this one was refused. The others go on.',
    '应用已有 {value} 个连接，新的连接被拒绝，其他连接不受影响。',
  ],
  connections: [
    'Apps have {value} connections already, so this one was refused. The others go on.',
    '各应用已共有 {value} 个连接，新的连接被拒绝，其他连接不受影响。',
  ],
  sockets: [
    '{value} connections are open already, so this one was refused. The others go on.',
    '已有 {value} 个连接，新的连接被拒绝，其他连接不受影响。',
  ],
  subscriptions: [
    'The app has {value} subscriptions already, so this one was refused. The others go on.',
    '应用已有 {value} 个订阅，新的订阅被拒绝，其他订阅不受影响。',
  ],
  commandsInFlight: [
    '{value} commands are being carried out already, so this one was refused.',
    '已有 {value} 条命令在执行，这条命令被拒绝。',
  ],
  commandBytes: [
    'A command was longer than {value}, so it was refused and the connection was ended.',
    '一条命令超过 {value}，已被拒绝，连接已结束。',
  ],
  nameLength: [
    'The server calls itself by more than {value} characters; the rest of its name is left out.',
    '服务自称的名字超过 {value} 个字符，其余部分已省略。',
  ],
  versionLength: [
    'The server’s version has more than {value} characters; the rest is left out.',
    '服务的版本号超过 {value} 个字符，其余部分已省略。',
  ],
  instructionsLength: [
    'The server’s instructions have more than {value} characters and stay off.',
    '服务的使用说明超过 {value} 个字符，保持关闭。',
    'more than {value} characters of instructions',
  ],
  reasonLength: [
    'The server gave a reason of more than {value} characters; the rest is left out.',
    '服务给出的原因超过 {value} 个字符，其余部分已省略。',
  ],
  quotedLength: [
    'Of what the server said about a problem, the first {value} characters are shown.',
    '服务对问题的说明只显示前 {value} 个字符。',
  ],
  stderrBytes: [
    'Of what the server prints for its makers, the last {value} are kept to show why it stopped.',
    '服务输出给开发者的内容只保留最后 {value}，用于说明它为何停止。',
  ],
  lastWordLines: [
    'Of what the server prints for its makers, the last {value} lines are shown.',
    '服务输出给开发者的内容只显示最后 {value} 行。',
  ],
  lastWordsLength: [
    'The server’s last line has more than {value} characters; the rest is left out.',
    '服务的最后一行超过 {value} 个字符，其余部分已省略。',
  ],
  pages: [
    'The server’s list has more than {value} pages, so nothing was changed by it.',
    '服务的列表超过 {value} 页，因此没有据此做任何更改。',
    'it has more than {value} pages',
  ],
  items: [
    'The server’s list has more than {value} entries, so nothing was changed by it.',
    '服务的列表超过 {value} 项，因此没有据此做任何更改。',
    'it has more than {value} entries',
  ],
  listBytes: [
    'The server’s list is longer than {value}, so nothing was changed by it.',
    '服务的列表超过 {value}，因此没有据此做任何更改。',
    'it is longer than {value}',
  ],
  cursorLength: [
    'The mark for the next page of the server’s list has more than {value} characters, so nothing was changed by it.',
    '服务列表的下一页标记超过 {value} 个字符，因此没有据此做任何更改。',
    'a cursor is too long',
  ],
  keyLength: [
    'An entry in the server’s list has a name of more than {value} characters. It is not used, and the list counts as incomplete.',
    '服务列表中有一项的名字超过 {value} 个字符，未被使用，该列表视为不完整。',
  ],
  keysLength: [
    'The names in the server’s list have more than {value} characters together, so nothing was changed by it.',
    '服务列表中所有名字合计超过 {value} 个字符，因此没有据此做任何更改。',
    'its names have more than {value} characters together',
  ],
  absentEntries: [
    'What the server no longer offers and nobody decided on is forgotten beyond {value} entries; if it comes back, it is new.',
    '服务不再提供且无人决定过的内容超过 {value} 项后会被遗忘；如果再次出现，将视为新增。',
  ],
  listTries: [
    'The server’s list changed each of {value} times it was read, so nothing was changed by it.',
    '服务的列表在 {value} 次读取中每次都在变化，因此没有据此做任何更改。',
    'the list kept changing while it was read',
  ],
  rememberedIds: [
    'More than {value} definitions of one server were remembered, so they are worked out anew.',
    '同一服务记住的定义超过 {value} 个，将重新计算。',
  ],
  definitionDepth: [
    'A definition is nested deeper than {value} levels, so it stays off.',
    '一个定义的嵌套超过 {value} 层，保持关闭。',
    'nested deeper than {value} levels',
  ],
  definitionValues: [
    'A definition holds more than {value} values, so it stays off.',
    '一个定义包含超过 {value} 个值，保持关闭。',
    'more than {value} values',
  ],
  definitionLength: [
    'A definition has more than {value} characters of text, so it stays off.',
    '一个定义的文字超过 {value} 个字符，保持关闭。',
    'more than {value} characters of text',
  ],
  followedPerList: [
    'The server changed more than {value} things at once, so the others were not followed by themselves.',
    '服务一次改动超过 {value} 项，其余的没有自动接受。',
  ],
  inlinedSchemas: [
    'A definition’s references stand for more than {value} parts, so they are compared as they are written.',
    '一个定义的引用展开后超过 {value} 个部分，因此按原样比较。',
  ],
  inlinedDefinitions: [
    'A definition refers to more than {value} others, so they are compared as they are written.',
    '一个定义引用了超过 {value} 个其他定义，因此按原样比较。',
  ],
  inlinedLength: [
    'A definition’s references stand for more than {value} characters, so they are compared as they are written.',
    '一个定义的引用展开后超过 {value} 个字符，因此按原样比较。',
  ],
  referenceTargets: [
    'A definition refers to more than {value} places, so its references are left as they are written.',
    '一个定义引用了超过 {value} 处，因此保留原样。',
  ],
  referencedSchemas: [
    'What a definition refers to has more than {value} parts, so its references are left as they are written.',
    '一个定义所引用的内容超过 {value} 个部分，因此保留原样。',
  ],
  referencedLength: [
    'What a definition refers to has more than {value} characters, so its references are left as they are written.',
    '一个定义所引用的内容超过 {value} 个字符，因此保留原样。',
  ],
  publishedName: [
    'A tool’s name has more than {value} characters; apps see a shorter one that ends in letters of its own.',
    '一个工具的名字超过 {value} 个字符，应用看到的是带有专属后缀的短名字。',
  ],
  prefixLength: [
    'A server’s name is shortened to {value} characters where it stands before a tool’s name.',
    '服务的名字用作工具名前缀时缩短为 {value} 个字符。',
  ],
  displayName: [
    'A name is shown with {value} characters at most; the rest is left out.',
    '名字最多显示 {value} 个字符，其余部分已省略。',
  ],
  givenName: [
    'A name that you give has {value} characters at most, so this one was refused. Nothing was changed.',
    '你起的名字最多 {value} 个字符，这个名字被拒绝，没有做任何更改。',
  ],
  templateLength: [
    'A resource template has more than {value} characters, so nothing is read through it.',
    '一个资源模板超过 {value} 个字符，因此不会通过它读取内容。',
  ],
  templateExpressions: [
    'A resource template has more than {value} blanks, so nothing is read through it.',
    '一个资源模板的空位超过 {value} 个，因此不会通过它读取内容。',
  ],
  templateSteps: [
    'A resource template has more than {value} parts, so nothing is read through it.',
    '一个资源模板超过 {value} 个部分，因此不会通过它读取内容。',
  ],
  templates: [
    'An app has more than {value} resource templates, so nothing is read through the others.',
    '应用的资源模板超过 {value} 个，因此不会通过其余模板读取内容。',
  ],
  matchedUriLength: [
    'The app asked for an address of more than {value} characters, so no template was tried for it.',
    '应用请求的地址超过 {value} 个字符，因此没有用模板匹配它。',
  ],
  inspectedBytes: [
    'An answer longer than {value} was passed on as it came; addresses in it cannot be read by themselves.',
    '超过 {value} 的回应会原样转交，其中的地址不能单独读取。',
  ],
  returnedUris: [
    'Of the addresses that answers named, the last {value} can be read; older ones have to be asked for again.',
    '回应中出现的地址只保留最近 {value} 个可读取，更早的需要重新获取。',
  ],
  returnedUrisPerAnswer: [
    'Of the addresses that one answer named, the first {value} can be read.',
    '一个回应中出现的地址只有前 {value} 个可读取。',
  ],
  servers: [
    'You have {value} servers, which is as many as Holdfast keeps. Nothing was changed.',
    '你已有 {value} 个服务，达到上限，没有做任何更改。',
  ],
  apps: [
    'You have {value} apps, which is as many as Holdfast keeps. Nothing was changed.',
    '你已有 {value} 个应用，达到上限，没有做任何更改。',
  ],
  profiles: [
    'You have {value} tool sets, which is as many as Holdfast keeps. Nothing was changed.',
    '你已有 {value} 个工具组合，达到上限，没有做任何更改。',
  ],
  initializeMs: [
    'The server said nothing for {value} after its start, so it was ended. It is started again when it is needed.',
    '服务启动后 {value}没有响应，已被结束，需要时会重新启动。',
  ],
  firstInitializeMs: [
    'The server said nothing for {value} after its first start, so it was ended. It is started again when it is needed.',
    '服务首次启动后 {value}没有响应，已被结束，需要时会重新启动。',
  ],
  pageMs: [
    'The server did not answer within {value} when its list was read, so nothing was changed by it.',
    '读取列表时服务在 {value}内没有响应，因此没有据此做任何更改。',
  ],
  observationMs: [
    'Reading the server’s list took longer than {value}, so nothing was changed by it.',
    '读取服务的列表超过 {value}，因此没有据此做任何更改。',
    'listing takes too long',
  ],
  verifyMs: [
    'The server was not ready within {value}, so the call was refused. Nothing was run; try again in a moment.',
    '服务在 {value}内没有准备好，这次调用被拒绝，没有执行任何操作，请稍后再试。',
  ],
  killStepMs: [
    'The server did not end within {value} when it was asked to, so it was ended more firmly.',
    '服务在收到请求后 {value}内没有结束，因此被强制结束。',
  ],
  pipeDrainMs: [
    'What the server left behind was read for {value} after it ended; the rest is lost.',
    '服务结束后，其遗留内容只读取 {value}，其余部分丢失。',
  ],
  quickCrashes: [
    'The server stopped {value} times soon after its start, so it is not started again by itself.',
    '服务启动后不久就停止，已达 {value} 次，因此不再自动启动。',
  ],
  quickCrashMs: [
    'The server stopped within {value} of its start, which counts as a failed start.',
    '服务在启动后 {value}内停止，计为一次启动失败。',
  ],
  maxGapMs: [
    'The server kept saying that its list had changed, so the list was read only once in {value}.',
    '服务不断表示列表有变化，因此每 {value}只读取一次。',
  ],
  handshakeMs: [
    'A program did not say who it is within {value}, so its connection was ended.',
    '某个程序在 {value}内没有表明身份，连接已结束。',
  ],
  drainMs: [
    'The app went while calls were under way; they were cancelled after {value}.',
    '应用在调用进行中离开，这些调用在 {value}后取消。',
  ],
  stallMs: [
    'The app read nothing for {value}, so what comes for it waits and the server goes on for others.',
    '应用 {value}没有读取，发给它的内容会排队，服务继续为其他应用工作。',
  ],
  shutdownMs: [
    'A server was still running {value} after Holdfast was told to quit, so it was ended at once.',
    'Holdfast 退出 {value}后服务仍在运行，因此被立即结束。',
  ],
};

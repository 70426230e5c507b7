import { kindOf, type Node } from './workflow.js';

/** Kinds of nodes that need no service. */
const NO_SERVICE = new Set(
  `
  stickyNote noOp set if code merge stopAndError manualTrigger splitOut webhook scheduleTrigger switch filter wait limit
  respondToWebhook splitInBatches aggregate function html executeWorkflowTrigger extractFromFile formTrigger form cron
  executeWorkflow markdown convertToFile readWriteFile itemLists editImage dateTime summarize sort functionItem crypto
  spreadsheetFile removeDuplicates executeCommand moveBinaryData readBinaryFile readBinaryFiles writeBinaryFile xml git
  executionData compareDatasets htmlExtract errorTrigger compression localFileTrigger renameKeys interval start readPDF
  debugHelper n8nTrigger workflowTrigger iCal totp aiTransform rssFeedRead rssFeedReadTrigger httpRequest graphql jwt
  sseTrigger evaluation evaluationTrigger dataTable simulate simulateTrigger n8nTrainingCustomerDatastore quickChart
  n8nTrainingCustomerMessenger agent chainLlm chainRetrievalQa chainSummarization chatTrigger manualChatTrigger chat
  memoryBufferWindow memoryManager outputParserStructured outputParserAutofixing outputParserItemList toolWorkflow
  toolCode toolCalculator toolVectorStore toolHttpRequest toolThink documentDefaultDataLoader documentBinaryInputLoader
  documentJsonInputLoader informationExtractor textClassifier sentimentAnalysis retrieverVectorStore retrieverWorkflow
  retrieverMultiQuery retrieverContextualCompression vectorStoreInMemory vectorStoreInMemoryInsert guardrails
  vectorStoreInMemoryLoad textSplitterRecursiveCharacterTextSplitter textSplitterTokenSplitter modelSelector
  textSplitterCharacterTextSplitter mcpTrigger mcpClient
  `.split(/\s+/),
);

/** Before and after the name of the service. */
const AFFIXES = /^(?:lmChat|lmOpen(?!Ai)|lm|embeddings|vectorStore|memory|reranker|retriever|tool)(?=[A-Z])|Trigger$/g;

/** Names that are not the words of the kind. */
const NAMES: ReadonlyMap<string, string> = new Map([
  ['emailSend', 'SMTP'],
  ['emailReadImap', 'IMAP'],
  ['openAi', 'OpenAI'],
  ['azureOpenAi', 'Azure OpenAI'],
  ['youTube', 'YouTube'],
  ['github', 'GitHub'],
  ['gitlab', 'GitLab'],
  ['hubspot', 'HubSpot'],
  ['linkedIn', 'LinkedIn'],
  ['whatsApp', 'WhatsApp'],
  ['wordpress', 'WordPress'],
  ['wooCommerce', 'WooCommerce'],
  ['clickUp', 'ClickUp'],
  ['pagerDuty', 'PagerDuty'],
  ['mailerLite', 'MailerLite'],
  ['sendGrid', 'SendGrid'],
  ['sendInBlue', 'Brevo'],
  ['mondayCom', 'monday.com'],
  ['mySql', 'MySQL'],
  ['postgres', 'PostgreSQL'],
  ['postgresChat', 'PostgreSQL'],
  ['mongoDb', 'MongoDB'],
  ['mongoDbChat', 'MongoDB'],
  ['redisChat', 'Redis'],
  ['nocoDb', 'NocoDB'],
  ['n8n', 'n8n'],
  ['ssh', 'SSH'],
  ['ftp', 'FTP'],
  ['mqtt', 'MQTT'],
  ['amqp', 'AMQP'],
  ['s3', 'S3'],
]);

/** Returns the name of the service that a node works with; undefined for one that needs none. */
export function serviceOf(node: Node): string | undefined {
  const kind = kindOf(node);
  if (NO_SERVICE.has(kind)) return undefined;
  return nameOf(kind.replace(AFFIXES, ''));
}

/** Returns the service of a type of credential, such as `slackOAuth2Api`; undefined for those of any service. */
export function serviceOfCredential(type: string): string | undefined {
  const [, service] = /^(?!http|oAuth)(.{1,100}?)(?:OAuth\d)?(?:Token)?(?:Api)$/.exec(type) ?? [];
  return service === undefined ? undefined : nameOf(service);
}

function nameOf(words: string): string | undefined {
  const kind = words.slice(0, 1).toLowerCase() + words.slice(1);
  const spaced = words.slice(0, 1).toUpperCase() + words.slice(1).replace(/(?<=[a-z\d])(?=[A-Z])/g, ' ');
  return NAMES.get(kind) ?? (spaced === '' ? undefined : spaced.replace(/^Aws(?= |$)/, 'AWS'));
}

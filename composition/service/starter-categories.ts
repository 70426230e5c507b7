import { newCategory, type Category } from '../../domain/category.js';

const STARTERS = [
  { id: 'ai-agent-development', name: 'AI Agent Development' },
  { id: 'business-process-automation', name: 'Business Process Automation' },
  { id: 'crm-and-sales', name: 'CRM & Sales' },
  { id: 'cloud-storage-and-file-management', name: 'Cloud Storage & File Management' },
  { id: 'communication-and-messaging', name: 'Communication & Messaging' },
  { id: 'creative-content-and-video-automation', name: 'Creative Content & Video Automation' },
  { id: 'creative-design-automation', name: 'Creative Design Automation' },
  { id: 'data-processing-and-analysis', name: 'Data Processing & Analysis' },
  { id: 'e-commerce-and-retail', name: 'E-commerce & Retail' },
  { id: 'financial-and-accounting', name: 'Financial & Accounting' },
  { id: 'marketing-and-advertising-automation', name: 'Marketing & Advertising Automation' },
  { id: 'project-management', name: 'Project Management' },
  { id: 'social-media-management', name: 'Social Media Management' },
  { id: 'technical-infrastructure-and-devops', name: 'Technical Infrastructure & DevOps' },
  { id: 'uncategorized', name: 'Uncategorized' },
  { id: 'web-scraping-and-data-extraction', name: 'Web Scraping & Data Extraction' },
];

/** The categories of a new marketplace, until its operator imports others. */
export function starterCategories(): readonly Category[] {
  return STARTERS.map(newCategory);
}
